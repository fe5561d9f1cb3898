import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { Contact } from './contact.ts'

/** 0 stands for all contacts of an import. */
const contactId = Type.Integer({ ...Contact.properties.id, minimum: 0 })

export const contactChanges = declareChanges({
  'contact.updated': { payload: Type.Object({ contactId }), live: 'mail:read' },
})

type ContactChanges = typeof contactChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends ContactChanges {}
}
