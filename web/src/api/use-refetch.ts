import { type QueryKey, useQueryClient } from '@tanstack/react-query'

/** Returns a function that fetches the queries under these keys again, after a change. */
export const useRefetch = (...keys: readonly QueryKey[]): (() => Promise<void>) => {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}
