// The files of the inspector's page.
#ifndef CINSPECTORPAGE_H
#define CINSPECTORPAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct wwp_file {
    const char *name;
    const uint8_t *bytes;
    size_t count;
} wwp_file;

/// All of them.
const wwp_file *wwp_files(size_t *count);

#endif
