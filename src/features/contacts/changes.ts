import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { Contact } from './contact.ts'

export const contactChanges = declareChanges({
  'contact.updated': { payload: Type.Object({ contactId: Contact.properties.id }), live: 'mail:read' },
})

type ContactChanges = typeof contactChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends ContactChanges {}
}
