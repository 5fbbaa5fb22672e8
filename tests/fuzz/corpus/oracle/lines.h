/* [1, 2], [3] == split([1, 2, 3], splits=[2, 1]): and more words
   [[1], [2]] == transpose([[1, 2]]) */
/* [11] == gemm([1], [1], [10]), 7 == where(1, 7,
   8) */
