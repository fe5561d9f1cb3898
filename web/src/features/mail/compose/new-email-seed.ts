import type { Recipient } from './addresses.ts'
import { EMPTY_SEED, type Seed } from './seeds.ts'

/** History state of a link to the composer that names the recipient. */
export interface NewEmailState {
  newEmailTo: Recipient
}

/** Returns the initial values of a new email. */
export const readNewEmailSeed = (): Seed => {
  const to = (window.history.state as Partial<NewEmailState> | null)?.newEmailTo
  return to === undefined ? EMPTY_SEED : { ...EMPTY_SEED, fields: { ...EMPTY_SEED.fields, to: [to] } }
}
