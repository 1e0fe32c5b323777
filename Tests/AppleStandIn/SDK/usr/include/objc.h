// Declarations of the Objective-C runtime, as far as URLSessionObserver uses it; written by hand, to type-check with. Facts of
// Apple's published objc4 (github.com/apple-oss-distributions/objc4): runtime/objc.h (BOOL, SEL, IMP), runtime/NSObject.h,
// runtime/Protocol.h, and runtime/runtime.h (all functions, Method, objc_AssociationPolicy).
#include <stdbool.h>

#pragma clang assume_nonnull begin

// objc4: runtime/objc.h. Where BOOL is no bool, it is a Bool in Swift all the same.
#if __OBJC_BOOL_IS_BOOL
typedef bool BOOL;
#else
typedef signed char BOOL;
#endif
typedef struct objc_selector *SEL;
typedef struct objc_method *Method;
typedef struct objc_implementation *IMP;
typedef enum __attribute__((enum_extensibility(open))) objc_AssociationPolicy : unsigned long {
    OBJC_ASSOCIATION_ASSIGN = 0,
    OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1,
} objc_AssociationPolicy;

@class Protocol;

@protocol NSObject
- (BOOL)respondsToSelector:(SEL _Null_unspecified)aSelector;
- (BOOL)conformsToProtocol:(Protocol *)aProtocol;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init;
- (BOOL)respondsToSelector:(SEL _Null_unspecified)aSelector;
- (BOOL)conformsToProtocol:(Protocol *)aProtocol;
- (nullable id)forwardingTargetForSelector:(SEL _Null_unspecified)aSelector;
- (id)copy;
- (id)mutableCopy;
@end

@interface Protocol : NSObject
@end

_Nullable Class object_getClass(_Nullable id object);
const char *_Nullable class_getImageName(_Nullable Class cls);
_Nullable Method class_getInstanceMethod(_Nullable Class cls, SEL name);
IMP method_getImplementation(Method method);
IMP method_setImplementation(Method method, IMP implementation);
IMP imp_implementationWithBlock(id block);
_Nullable id objc_getAssociatedObject(id object, const void *key);
void objc_setAssociatedObject(id object, const void *key, _Nullable id value, objc_AssociationPolicy policy);

#pragma clang assume_nonnull end
