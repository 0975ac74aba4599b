import { fuzz } from '../rest/fuzz.ts';

fuzz(20_000);
