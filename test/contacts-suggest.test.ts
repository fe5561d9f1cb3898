import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { fillContacts } from '../bench/contact-rows.ts'
import { getLocalUserId } from '../src/database/local-account.ts'
import { suggestAddresses } from '../src/features/contacts/repository.ts'
import { onEveryDatabase } from './support/databases.ts'
import { startInstance } from './support/instance.ts'

/** Fewer on PostgreSQL, where filling the tables takes long. */
const CONTACTS = { sqlite: 5_000, postgres: 3_000 }

onEveryDatabase('suggestions among many contacts', (engine) => {
  it('read an index range of the typed prefix, and nothing else', async () => {
    const instance = await startInstance({ engine })
    const { db } = instance.database
    const userId = await getLocalUserId(db)
    await fillContacts(db, userId, CONTACTS[engine])
    await sql`analyze`.execute(db)
    const { body } = await instance.get('/api/contacts/suggest?q=fam77')
    expect(body.suggestions.length).toBeGreaterThan(2)
    const plans: string[] = []
    for (const prefixes of [['fam77'], ['fam77', 'giv'], []]) {
      let compiled: { sql: string; parameters: readonly unknown[] } | undefined
      const recorder = db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => result,
      })
      const executor = recorder.getExecutor()
      const compile = executor.compileQuery.bind(executor)
      executor.compileQuery = ((...given: Parameters<typeof compile>) => {
        const query = compile(...given)
        compiled = query
        return query
      }) as typeof executor.compileQuery
      await suggestAddresses(recorder, userId, prefixes, 8)
      const { sql: text } = compiled as { sql: string }
      const { rows } = await db.executeQuery<Record<string, string>>({
        ...(compiled as never as object),
        sql: `${engine === 'sqlite' ? 'explain query plan' : 'explain'} ${text}`,
      } as never)
      plans.push(rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n'))
    }
    // PostgreSQL may read all addresses of a single account, if that is cheaper. It must not read all terms.
    for (const plan of plans)
      expect(plan).not.toMatch(/^SCAN(?! contact_addresses USING)|Seq Scan on contact_terms/m)
    for (const plan of plans.slice(0, 2)) expect(plan).toMatch(/contact_terms\w*.*\n?.*term ?[>]/)
    expect(plans[2]).toMatch(/contact_addresses_score/)
    expect(plans[2]).not.toMatch(/TEMP B-TREE/)
    await instance.close()
  })
})
