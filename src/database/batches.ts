/** Few enough rows that no table reaches the limit of parameters per statement (SQLite: 32,766). */
const ROWS_PER_STATEMENT = 64

/** Splits rows into batches that one INSERT can take. */
export const toBatches = <R>(rows: readonly R[]): R[][] => {
  const batches: R[][] = []
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
    batches.push(rows.slice(at, at + ROWS_PER_STATEMENT))
  return batches
}
