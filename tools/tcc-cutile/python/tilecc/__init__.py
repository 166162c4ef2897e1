"""tcc for Python: tilecc.cutile makes cuTile Python use tcc."""
