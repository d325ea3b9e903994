// Gives memory that is free back to the system, so that what a process has is what it uses.
#pragma once
void give_back_free_memory(void);
