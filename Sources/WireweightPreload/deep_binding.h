// Objects that a program loads with RTLD_DEEPBIND.
#ifndef WIREWEIGHT_DEEP_BINDING_H
#define WIREWEIGHT_DEEP_BINDING_H

/// Call before such an object is loaded. The slots of what is loaded are changed when the program next looks up a name.
void wireweight_bind_deep(void);

#endif
