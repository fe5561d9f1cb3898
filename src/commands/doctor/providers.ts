import { listKeys } from '../../features/ai/keys/store.ts'
import { type Check, ok } from './finding.ts'

export const providersCheck: Check = {
  what: 'AI',
  async run({ config, database, migration }) {
    const given = Object.entries(config.ai.providers)
      .filter(([name, { key, baseUrl }]) => (name === 'openai-compatible' ? baseUrl : key) !== null)
      .map(([name]) => name)
    // Keys that people gave lie in the database; one that is not up to date may have no table for them.
    const isCurrent = migration !== null && migration.pending.length + migration.unknown.length === 0
    const saved = database && isCurrent ? (await listKeys(database.db)).map(({ provider }) => provider) : []
    const ready = [...new Set([...given, ...saved])]
    return [
      ok(
        ready.length > 0
          ? `ready: ${ready.join(', ')} (not called)`
          : 'no provider key is set; the built-in engine answers',
      ),
    ]
  },
}
