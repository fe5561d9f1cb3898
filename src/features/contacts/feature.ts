import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Actions } from '../undo/journal.ts'
import { Contacts, isKnownContact } from './contacts.ts'
import { createContactsPart } from './data-part.ts'
import { ContactExport } from './export.ts'
import { ContactImport } from './import.ts'
import { ContactMerger } from './merge.ts'
import { contactRoutes } from './routes.ts'
import { forgetContacts } from './stored-mail.ts'
import { ContactTally } from './tally.ts'
import { createVCardReader } from './vcard-reader.ts'

export const createContactsFeature = (
  { database, db, clock, log, changes, jobs, workers }: Platform,
  { actions }: { actions: Actions },
) => {
  const readCards = createVCardReader({ workers })
  const tally = new ContactTally({ db, clock, log, jobs })
  const contacts = new Contacts({ database, clock, changes, tally })
  const merger = new ContactMerger({ db, contacts, actions })
  const importing = new ContactImport({ db, contacts, readCards })
  const exporting = new ContactExport({ db, contacts, tally })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/contacts', plugin: contactRoutes({ contacts, merger, importing, exporting }) },
  ]
  return {
    contacts,
    tally,
    isKnownContact,
    importing,
    readCards,
    forgetContacts,
    part: createContactsPart(),
    routes,
  }
}
