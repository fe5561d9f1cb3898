import { type Check, ok } from './finding.ts'

export const providersCheck: Check = {
  what: 'AI',
  run({
    config: {
      ai: { providers },
    },
  }) {
    const ready = Object.entries(providers)
      .filter(([name, { key, baseUrl }]) => (name === 'openai-compatible' ? baseUrl : key) !== null)
      .map(([name]) => name)
    return [
      ok(
        ready.length > 0
          ? `ready: ${ready.join(', ')} (not called)`
          : 'no provider key is set; the built-in engine answers',
      ),
    ]
  },
}
