// Prints its arguments. With GO, it has a section that the Go tool chain makes.
#include <stdio.h>

#ifdef GO
__attribute__((section(".go.buildinfo"), used)) static const char info[32] = "\xff Go buildinf:";
#endif

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++) printf("started %s\n", arguments[i]);
    return 3;
}
