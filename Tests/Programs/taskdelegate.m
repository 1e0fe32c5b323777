// Calls wwt_set_delegate (Sources/CTaskDelegates) for a task that takes its delegate, and for one that raises an exception, as
// Foundation's does after its first resume. With GCC's Objective-C runtime, on Linux: see TaskDelegateTests.
#include <objc/runtime.h>
#include <stdio.h>

#include "CTaskDelegates.h"

__attribute__((objc_root_class))
@interface Task {
    Class isa;
@public
    bool raises;
    id delegate;
}
- (void)setDelegate:(id)given;
@end

@implementation Task
- (void)setDelegate:(id)given {
    if (raises) @throw given;
    delegate = given;
}
@end

int main(void) {
    Task *task = class_createInstance(objc_getClass("Task"), 0);
    Task *delegate = class_createInstance(objc_getClass("Task"), 0);
    bool first = wwt_set_delegate(task, delegate);
    bool took = task->delegate == delegate;
    task->raises = true;
    task->delegate = nil;
    bool second = wwt_set_delegate(task, delegate);
    printf("%d %d, %d %d\n", first, took, second, task->delegate == nil);
    return 0;
}
