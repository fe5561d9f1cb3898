import { type Check, fail, ok } from './finding.ts'

const LEAST = 24

export const nodeCheck: Check = {
  what: 'node',
  run({ context: { nodeVersion } }) {
    const isNewEnough = Number.parseInt(nodeVersion, 10) >= LEAST
    return [
      isNewEnough
        ? ok(nodeVersion)
        : fail(nodeVersion, `use Node ${LEAST} or newer; npm start brings its own`),
    ]
  },
}
