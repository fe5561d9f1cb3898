import { forbidden } from '../errors.ts'
import { type Caller, covers, type Scope } from './caller.ts'

/** Whoever comes without a token, or signed in, may do what the route lets them. */
export const hasScope = (caller: Caller, scope: Scope): boolean =>
  caller.kind !== 'token' || covers(caller.scopes, scope)

/** A token for one room does not reach into another by way of this one. */
export const requireScope = (caller: Caller, scope: Scope): void => {
  if (!hasScope(caller, scope)) throw forbidden(`This token lacks the scope ${scope}.`, 'insufficient_scope')
}
