import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../platform/access/route-access.ts'
import { invalid } from '../../platform/errors.ts'
import { compileExceptBody } from '../../platform/http/validation.ts'
import { Contact, ContactChange, NewContact, type VersionedContact } from './contact.ts'
import type { Contacts } from './contacts.ts'
import type { ContactExport } from './export.ts'
import type { ContactImport } from './import.ts'
import type { ContactMerger } from './merge.ts'
import {
  ContactCollection,
  ContactImportReport,
  ContactPath,
  ContactQuery,
  Duplicates,
  ExportQuery,
  MergeInput,
  MergeResult,
  Suggestions,
  SuggestQuery,
  VCARD_TYPE,
  VCardFile,
} from './schema.ts'
import type { ReadCards, VCardReader } from './vcard-reader.ts'

const MAX_FILE_BYTES = 25 * 1024 * 1024

const disposition = (filename: string): string => `attachment; filename="${filename}"`

/** `extra` of a resource is part of its ETag. The lines of vCards are private, and not all are valid in a header. */
const withoutExtra = ({ extra: _, ...contact }: VersionedContact) => contact

export interface ContactRoutesDeps {
  contacts: Contacts
  merger: ContactMerger
  importing: ContactImport
  exporting: ContactExport
  readCards: VCardReader
}

/** Routes for lists, suggestions and vCard files. */
const collectionRoutes =
  ({ contacts, importing, exporting, readCards }: ContactRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: { ...read('mail'), longReads: ['q'] },
        schema: {
          operationId: 'listContacts',
          summary: 'List contacts',
          description:
            'Sorted by name. Contacts are made from mail sent and received, by hand, and by vCard import. Mailing lists and no-reply addresses do not become contacts.',
          querystring: ContactQuery,
          response: { 200: ContactCollection },
        },
      },
      (request) => contacts.list(request.user, request.query),
    )

    app.post(
      '/',
      {
        config: { ...write('mail'), idempotency: 'kept' },
        schema: {
          operationId: 'createContact',
          summary: 'Create a contact',
          description: 'An address belongs to one contact at most: 409 if another contact has it.',
          body: NewContact,
          response: { 201: Contact },
        },
      },
      async (request, reply) => {
        const contact = await contacts.create(request.user, request.body)
        reply.code(201).header('location', `/api/contacts/${contact.id}`)
        return contact
      },
    )

    app.get(
      '/suggest',
      {
        config: read('mail'),
        schema: {
          operationId: 'suggestAddresses',
          summary: 'Suggest addresses',
          description:
            'Completes a recipient while it is typed. The addresses that you use most often and most recently come first; mail that you send counts four times.',
          querystring: SuggestQuery,
          response: { 200: Suggestions },
        },
      },
      (request) => contacts.suggest(request.user, request.query.q ?? '', request.query.limit),
    )

    app.get(
      '/duplicates',
      {
        config: { ...read('mail'), longReads: true },
        schema: {
          operationId: 'listDuplicateContacts',
          summary: 'List duplicate contacts',
          description: 'Up to 20 groups of contacts that may be the same person.',
          response: { 200: Duplicates },
        },
      },
      (request) => contacts.listDuplicates(request.user),
    )

    app.get(
      '/export',
      {
        config: read('mail'),
        schema: {
          operationId: 'exportContacts',
          summary: 'Export contacts as vCards',
          description: 'A vCard 3.0 file with all contacts.',
          querystring: ExportQuery,
          response: { 200: { description: 'The vCard file', content: VCardFile } },
        },
      },
      (request, reply) =>
        reply
          .type(`${VCARD_TYPE}; charset=utf-8`)
          .header('content-disposition', disposition('contacts.vcf'))
          .send(Readable.from(exporting.all(request.user, request.query.known)) as never),
    )

    // Only this route accepts vCard files, so the content type parser has its own scope.
    await app.register(async (files) => {
      files.removeAllContentTypeParsers()
      files.addContentTypeParser(
        [VCARD_TYPE, 'text/x-vcard', 'text/directory'],
        { parseAs: 'buffer', bodyLimit: MAX_FILE_BYTES },
        (_request, body, done) => done(null, body),
      )
      const opened = new WeakMap<object, ReadCards>()
      files.post(
        '/import',
        {
          config: {
            ...write('mail'),
            idempotency: 'kept',
            async prepare(request) {
              const body = request.body as unknown
              if (!Buffer.isBuffer(body) || body.length === 0)
                throw invalid('The body is empty. Send a vCard file (.vcf).')
              opened.set(request, await readCards(body))
            },
          },
          bodyLimit: MAX_FILE_BYTES,
          schema: {
            operationId: 'importContacts',
            summary: 'Import vCards',
            description:
              'Reads vCard 2.1, 3.0 and 4.0 as Google, Apple and Outlook export them. A vCard updates the contact that has one of its addresses: it adds addresses and phone numbers, and fills empty fields. Properties without a field, such as photos, are kept and exported again. Sending a file twice changes nothing. At most 20,000 vCards and 25 MiB.',
            body: { content: VCardFile },
            response: { 200: ContactImportReport },
          },
          validatorCompiler: compileExceptBody,
        },
        (request) => importing.run(request.user, opened.get(request) as ReadCards),
      )
    })
  }

/** Routes of one contact. */
const singleRoutes =
  ({ contacts, merger, exporting }: ContactRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/:id',
      {
        config: read('mail'),
        schema: {
          operationId: 'getContact',
          summary: 'Get a contact',
          params: ContactPath,
          response: { 200: Contact },
        },
      },
      async (request) => withoutExtra(await contacts.get(request.user, request.params.id)),
    )

    app.patch(
      '/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'updateContact',
          summary: 'Update a contact',
          description: 'Each list, such as `phones` and `addresses`, is replaced as a whole.',
          params: ContactPath,
          body: ContactChange,
          response: { 200: Contact },
        },
      },
      async (request) => {
        const { id } = request.params
        const userId = request.user
        return withoutExtra(await contacts.change(userId, id, request.body, request.headers['if-match']))
      },
    )

    app.delete(
      '/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'deleteContact',
          summary: 'Delete a contact',
          description:
            'Mail stays. Mail received from its addresses does not create the contact again; writing to one of them does.',
          params: ContactPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await contacts.remove(request.user, request.params.id, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )

    app.post(
      '/:id/merge',
      {
        config: { ...write('mail'), idempotency: 'kept' },
        schema: {
          operationId: 'mergeContacts',
          summary: 'Merge contacts',
          description:
            'Moves all addresses and phone numbers to this contact and deletes the others. Texts of this contact stay; empty ones are filled from the others, and notes are joined.',
          params: ContactPath,
          body: MergeInput,
          response: { 200: MergeResult },
        },
      },
      (request) => {
        const { id } = request.params
        const { contactIds } = request.body
        return merger.merge(request.user, id, contactIds, request.headers['if-match'])
      },
    )

    app.get(
      '/:id/vcard',
      {
        config: read('mail'),
        schema: {
          operationId: 'exportContact',
          summary: 'Export a contact as vCard',
          params: ContactPath,
          response: { 200: { description: 'The vCard file', content: VCardFile } },
        },
      },
      async (request, reply) => {
        const card = await exporting.one(request.user, request.params.id)
        return reply
          .type(`${VCARD_TYPE}; charset=utf-8`)
          .header('content-disposition', disposition(`contact-${request.params.id}.vcf`))
          .send(card as never)
      },
    )
  }

export const contactRoutes =
  (deps: ContactRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(collectionRoutes(deps))
    await app.register(singleRoutes(deps))
  }
