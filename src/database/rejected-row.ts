/** Whether the database refused a row for what it holds: a name that is taken, a reference to nothing, a value that is none. */
export const isRejectedRow = (error: unknown): boolean => {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  return code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_MISMATCH' || /^2[23]\w{3}$/.test(code)
}
