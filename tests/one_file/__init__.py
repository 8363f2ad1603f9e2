"""One new thing of each kind, in the folder where it would be put, and a program that uses all of them."""
