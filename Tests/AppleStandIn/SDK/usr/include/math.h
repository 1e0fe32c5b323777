// Libm: Source/Intel/math.h, which POSIX and the C standard (C11 7.12) have, too
#pragma once

double ceil(double value);
double erf(double value);
double erfc(double value);
double exp(double value);
double exp2(double value);
double fabs(double value);
double floor(double value);
double fmod(double left, double right);
double log(double value);
double log10(double value);
double log2(double value);
double pow(double base, double exponent);
double round(double value);
double scalbn(double value, int exponent);
double sqrt(double value);
