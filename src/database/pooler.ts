import pg from 'pg'

const ANSWER_WITHIN_MS = 5_000
const ROUNDS = 3

const readBackend = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/**
 * Whether a pooler gives each transaction any session of the server. Two connections are open at the same time.
 * Without such a pooler, each keeps a session of its own.
 */
export const isTransactionPooled = async (url: string): Promise<boolean> => {
  const clients = [0, 1].map(
    () =>
      new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: ANSWER_WITHIN_MS,
        query_timeout: ANSWER_WITHIN_MS,
      }),
  )
  for (const client of clients) client.on('error', () => {})
  try {
    for (const client of clients) await client.connect()
    const backends = clients.map(() => new Set<number>())
    // Two statements in succession also differ if the pooler uses its sessions in turn.
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, client] of clients.entries())
        for (let count = 0; count < 2; count++) backends[index]?.add(await readBackend(client))
    const [first = new Set(), second = new Set()] = backends
    return first.size > 1 || second.size > 1 || !first.isDisjointFrom(second)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}
