/** A Parquet file that is broken or goes beyond a limit. The message completes the name of the file. */
export class ParquetFault extends Error {
  override readonly name = 'ParquetFault';
}
