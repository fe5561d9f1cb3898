import { BookUser, Copy, Download, SearchX, Upload, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import * as t from '#locale/contacts'
import * as common from '#locale/shared-texts'
import { type Contact, nameOfContact, useContactActions, useContactList } from '../../api/contacts.ts'
import { Page } from '../../shell/page.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadedList } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { useSearchField } from '../../ui/use-search-field.ts'
import { usePendingDeletionIds } from '../../ui/use-undoable-delete.ts'
import { type RowProps, VirtualList } from '../../ui/virtual-list.tsx'
import { ContactDetails } from './contact-details.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import { DuplicatesDialog } from './duplicates-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import '../../ui/style/segments.css'
import './contacts.css'

const VIEWS = ['known', 'all'] as const
type View = (typeof VIEWS)[number]

/** Contacts view state, stored in the URL, so that reload and Back work. */
const useUrlState = () => {
  const { id = '' } = useParams<{ id?: string }>()
  const params = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const state = {
    id: /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null,
    q: params.get('q') ?? '',
    view: (params.get('show') === 'all' ? 'all' : 'known') as View,
  }
  const hrefOf = (change: Partial<typeof state>): string => {
    const next = { ...state, ...change }
    const query = new URLSearchParams({
      ...(next.q !== '' && { q: next.q }),
      ...(next.view === 'all' && { show: 'all' }),
    }).toString()
    return `/contacts${next.id === null ? '' : `/${next.id}`}${query && `?${query}`}`
  }
  return {
    ...state,
    hrefOf,
    go: (change: Partial<typeof state>, options: { replace?: boolean } = {}) =>
      navigate(hrefOf(change), options),
  }
}

interface ContactRowProps {
  contact: Contact
  href: string
  isChosen: boolean
  row: RowProps
}

const ContactRow = ({ contact, href, isChosen, row }: ContactRowProps) => {
  const name = nameOfContact(contact)
  const address = contact.addresses[0]?.address ?? contact.phones[0]?.number ?? ''
  return (
    <li {...row} className="contact-row">
      <Link href={href} aria-current={isChosen ? 'page' : undefined}>
        <Avatar name={name} avatarUrl={null} />
        <span className="contact-row-main">
          <span className="contact-row-name">{name}</span>
          {address !== name && <span className="contact-row-note">{address}</span>}
        </span>
      </Link>
    </li>
  )
}

interface NoContactsProps {
  q: string
  view: View
  onShowAll: () => void
}

const NoContacts = ({ q, view, onShowAll }: NoContactsProps) => (
  <Empty icon={q === '' ? BookUser : SearchX} title={q === '' ? t.noContacts : t.noMatches}>
    {q === '' && <p>{t.noContactsHelp}</p>}
    {view === 'known' && <Button onClick={onShowAll}>{t.showEveryone}</Button>}
  </Empty>
)

type OpenDialog = 'new' | 'import' | 'duplicates' | null

/** The address book: a list with search, and the page of a person beside it. */
export const Contacts = () => {
  const url = useUrlState()
  const { id, q, view } = url
  const query = useContactList(q, view === 'known')
  const deleted = usePendingDeletionIds('contact')
  const { typed, setTyped } = useSearchField(q, (text, options) => url.go({ q: text }, options))
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const actions = useContactActions()
  const attempt = useAttempt()
  const isSmall = useMediaQuery('(max-width: 860px)')
  const close = () => setDialog(null)

  const exportAll = () =>
    attempt(async () => {
      saveFile(await actions.exportAll(), t.exportName)
    })
  return (
    <div className="contacts" data-open={id !== null}>
      <Page title={t.contacts}>
        <div className="contacts-panes">
          <section className="contacts-list" aria-label={t.listOfContacts}>
            <search className="contacts-tools">
              <input
                className="input"
                type="search"
                aria-label={t.searchContacts}
                placeholder={common.search}
                maxLength={200}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
              <Button kind="primary" onClick={() => setDialog('new')}>
                <UserPlus size={18} aria-hidden="true" />
                {t.newContact}
              </Button>
              <RowMenu
                label={t.moreActions}
                actions={[
                  { label: t.importContacts, icon: Upload, onSelect: () => setDialog('import') },
                  { label: t.exportContacts, icon: Download, onSelect: () => void exportAll() },
                  { label: t.findDuplicates, icon: Copy, onSelect: () => setDialog('duplicates') },
                ]}
              />
            </search>
            <fieldset className="segments" title={t.viewsHelp}>
              <legend className="visually-hidden">{t.show}</legend>
              {VIEWS.map((each) => (
                <label key={each}>
                  <input
                    type="radio"
                    name="view"
                    checked={view === each}
                    onChange={() => url.go({ view: each })}
                  />
                  <span>{t.views[each]}</span>
                </label>
              ))}
            </fieldset>
            <div className="contacts-scroll">
              <LoadedList
                query={query}
                itemsOf={({ contacts }) => contacts.filter((contact) => !deleted.has(contact.id))}
                empty={<NoContacts q={q} view={view} onShowAll={() => url.go({ view: 'all' })} />}
              >
                {(contacts) => (
                  <VirtualList
                    items={contacts}
                    hasMore={query.hasNextPage}
                    estimatedHeight={58}
                    scrollsIn={isSmall ? undefined : '.contacts-scroll'}
                    target={null}
                    label={t.contacts}
                  >
                    {(contact, row) => (
                      <ContactRow
                        key={contact.id}
                        contact={contact}
                        href={url.hrefOf({ id: contact.id })}
                        isChosen={contact.id === id}
                        row={row}
                      />
                    )}
                  </VirtualList>
                )}
              </LoadedList>
            </div>
          </section>
          <div className="contacts-details">
            {id === null ? (
              <Empty icon={BookUser} title={t.nobodyChosen} />
            ) : (
              <ContactDetails
                key={id}
                id={id}
                listHref={url.hrefOf({ id: null })}
                onLeave={() => url.go({ id: null })}
              />
            )}
          </div>
        </div>
      </Page>
      <ContactDialog
        open={dialog === 'new'}
        contact={null}
        onClose={close}
        onSaved={(contact) => url.go({ id: contact.id })}
      />
      <ImportDialog open={dialog === 'import'} onClose={close} />
      <DuplicatesDialog open={dialog === 'duplicates'} onClose={close} />
    </div>
  )
}
