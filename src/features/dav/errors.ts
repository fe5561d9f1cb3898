import type { Xml } from './elements.ts'

/** A refused request, with the precondition that it violates (RFC 4918 §16). */
export class DavError extends Error {
  readonly status: number
  readonly condition: Xml | undefined

  constructor(status: number, condition?: Xml) {
    super(`DAV status ${status}`)
    this.name = 'DavError'
    this.status = status
    this.condition = condition
  }
}
