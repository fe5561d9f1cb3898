/**
 * The tables of a backup: each table with the key for paging, parents before children. Null for tables that
 * are not copied: the restore marker, jobs (copied through their interface), and word indexes (derived from
 * their rows).
 */
export type TableKeys<T> = { readonly [N in keyof T]: readonly (keyof T[N] & string)[] | null }
