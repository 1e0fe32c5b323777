#include "CTaskDelegates.h"

#ifdef __APPLE__

@protocol WWTDelegateHolder
- (void)setDelegate:(id)delegate;
@end

bool wwt_set_delegate(void *task, void *delegate) {
    @try {
        [(__bridge id<WWTDelegateHolder>)task setDelegate:(__bridge id)delegate];
        return true;
    } @catch (...) {
        return false;
    }
}

#endif
