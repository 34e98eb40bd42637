import os

folder = "C:\temp\new"
print(os.path.basename("D:\Users\me"), folder)
