import blf

blf.size(0, 11, 144)
print(blf.dimensions(0, "Hello"))
