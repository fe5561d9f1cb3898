import { Resolver } from 'node:dns/promises'
import type { MailDns } from '../../features/mail/accounts/autoconfig/autoconfig.ts'

const TIMEOUT_MS = 3_000

/** Uses the resolver of the system. A failed lookup counts as an empty result. */
export const createMailDns = (): MailDns => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  const orEmpty = async <T>(question: Promise<T[]>): Promise<T[]> => {
    try {
      return await question
    } catch {
      return []
    }
  }
  return {
    async services(name) {
      const records = await orEmpty(resolver.resolveSrv(name))
      return records
        .toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
        .map(({ name: host, port }) => ({ host: host.replace(/\.$/, ''), port }))
    },
    async exchangers(domain) {
      const records = await orEmpty(resolver.resolveMx(domain))
      return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
    },
  }
}
