/* io/xml.h: the little XML that lattice files need: the text of the first element of a name. */
#ifndef ACRE_IO_XML_H
#define ACRE_IO_XML_H

#include "io/text.h"

/* Find the first <tag …>text< in the XML, whatever it is nested in; a namespace prefix is allowed. The value
 * is trimmed. Quotes mean nothing: real files leave some open. Any bytes at all are safe. */
bool acre_xml_find(struct acre_text xml, const char *tag, struct acre_text *value);

#endif
