"""Executes notebooks in the current folder, each in a kernel of its own, and writes them there with their outputs."""

import pathlib
import sys

import nbclient
import nbformat

for name in sys.argv[1:]:
    notebook = nbformat.read(name, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    nbformat.write(notebook, pathlib.Path(name).name)
