/**
 * What a backup copies: each table with the key by which it is read page by page, parents before their children.
 * Null for what differs between the engines: jobs and blobs are copied through their ports, indexes are made anew.
 */
export type TableKeys<T> = { readonly [N in keyof T]: readonly (keyof T[N] & string)[] | null }
