#pragma once

#include <stdbool.h>

// Gives a task of URLSession a delegate of its own; both are Objective-C objects. Returns false if the task does not take
// it: Foundation raises an exception then, which Swift cannot catch, and which would end the program.
bool wwt_set_delegate(void *task, void *delegate);
