// Watches which programs a metered program starts.
#ifndef WIREWEIGHT_PROGRAM_STARTS_H
#define WIREWEIGHT_PROGRAM_STARTS_H

/// Reports, from now on, started programs that will not be metered.
void wireweight_watch_starts(void);

#endif
