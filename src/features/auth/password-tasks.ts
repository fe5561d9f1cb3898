import { hashSync, verifySync } from '@node-rs/bcrypt'

/* Runs in a thread: the asynchronous functions of bcrypt would use threads of normal priority. */

export const hashPassword = ({ password, cost }: { password: string; cost: number }): string =>
  hashSync(password, cost)

export const verifyPassword = ({ password, hash }: { password: string; hash: string }): boolean =>
  verifySync(password, hash)
