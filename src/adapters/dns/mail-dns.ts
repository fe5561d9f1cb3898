import { Resolver } from 'node:dns/promises'
import type { MailDns } from '../../features/mail-accounts/autoconfig/autoconfig.ts'

const PATIENCE_MS = 3_000

/** The machine's own resolver. What it cannot answer counts as not there. */
export const createMailDns = (): MailDns => {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: 1 })
  const orNothing = async <T>(question: Promise<T[]>): Promise<T[]> => {
    try {
      return await question
    } catch {
      return []
    }
  }
  return {
    async services(name) {
      const records = await orNothing(resolver.resolveSrv(name))
      return records
        .toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
        .map(({ name: host, port }) => ({ host: host.replace(/\.$/, ''), port }))
    },
    async exchangers(domain) {
      const records = await orNothing(resolver.resolveMx(domain))
      return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
    },
  }
}
