/**
 * What a backup copies: each table with the key by which it is read page by page, parents before their children.
 * Null for the queue's own, which differ between the engines: jobs are copied through their port.
 */
export type TableKeys<T> = { readonly [N in keyof T]: readonly (keyof T[N] & string)[] | null }
