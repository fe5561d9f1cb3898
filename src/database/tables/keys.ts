/**
 * What a backup copies: each table with the key by which it is read page by page, parents before their children.
 * Null for what says that one was restored, and for what the engines have each in their own way: jobs, which are copied through their port, and indexes of
 * words, which follow the rows that they are of.
 */
export type TableKeys<T> = { readonly [N in keyof T]: readonly (keyof T[N] & string)[] | null }
