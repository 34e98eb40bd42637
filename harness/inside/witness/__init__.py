"""The process that never ran the snippet: it opens the saved scene, examines and renders it. Its report is evidence."""
