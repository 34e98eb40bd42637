import os

folder = r"C:\temp\new"
print(os.path.basename(r"D:\Users\me"), folder)
