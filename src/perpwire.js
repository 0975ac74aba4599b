#!/usr/bin/env node
// src/main.ts in less time: for a first file with types that is not in the compile cache, Node loads its type stripper, which
// takes 75 ms. So the first file is plain JavaScript.
import './compile-cache.js';

await import('./main.ts');
