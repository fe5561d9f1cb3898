/** Whether the database ended a transaction because it and another waited for each other. It has done nothing then. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '40P01'
