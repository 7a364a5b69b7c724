/* A tuple has a group of registers for each field; masks behind the first are data. */
void groups(__rvv_int32m2x2_t a, __rvv_int32m1_t b);
void masks(__rvv_bool1_t a, __rvv_bool1_t b, __rvv_int32m1_t c, __rvv_bool64_t d);
__rvv_int32m2x2_t tuple(int a);
