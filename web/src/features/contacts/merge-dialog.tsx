import { useState } from 'react'
import * as t from '#locale/contacts'
import { type Contact, nameOfContact, useContactList } from '../../api/contacts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Row } from '../../ui/rows.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { useMergeContacts } from './use-merge.ts'

interface MergeDialogProps {
  open: boolean
  /** The contact that stays. */
  contact: Contact
  onClose: () => void
}

/** Searches another contact and merges it into this one. */
export const MergeDialog = ({ open, contact, onClose }: MergeDialogProps) => (
  <Dialog
    open={open}
    onClose={onClose}
    title={t.mergeInto(nameOfContact(contact))}
    about={<p>{t.mergeHelp}</p>}
  >
    {open && <Candidates contact={contact} onClose={onClose} />}
  </Dialog>
)

const MAX_CANDIDATES = 8

const Candidates = ({ contact, onClose }: Omit<MergeDialogProps, 'open'>) => {
  // Contacts with the same last word of the name are the most likely ones.
  const [typed, setTyped] = useState(() => contact.name.split(/\s+/).at(-1) ?? '')
  const query = useContactList(useDebouncedValue(typed.trim()), false)
  const merge = useMergeContacts()
  const found = (query.data?.pages[0]?.contacts ?? []).filter(({ id }) => id !== contact.id)
  const choose = async (other: Contact) => {
    if (await merge(contact, [other])) onClose()
  }
  return (
    <form className="form" onSubmit={(event) => event.preventDefault()}>
      <input
        className="input"
        type="search"
        aria-label={t.searchOther}
        placeholder={t.searchOther}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {query.data !== undefined && found.length === 0 && <p className="quiet">{t.noMatches}</p>}
      <ul className="rows">
        {found.slice(0, MAX_CANDIDATES).map((other) => (
          <Row
            key={other.id}
            title={nameOfContact(other)}
            actions={
              <Button
                size="small"
                aria-label={t.mergeGroup(nameOfContact(other))}
                onClick={() => void choose(other)}
              >
                {t.merge}
              </Button>
            }
          >
            <p className="row-notes">
              <span>{other.addresses.map(({ address }) => address).join(', ')}</span>
            </p>
          </Row>
        ))}
      </ul>
    </form>
  )
}
