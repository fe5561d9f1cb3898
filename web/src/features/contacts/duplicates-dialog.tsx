import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import * as t from '#locale/contacts'
import { type Contact, duplicatesQuery, nameOfContact } from '../../api/contacts.ts'
import { useClient } from '../../api/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Row, RowList } from '../../ui/rows.tsx'
import { useMergeContacts } from './use-merge.ts'

/** The contact with the most mail stays, because it is the one that people know. */
const byUse = (contacts: readonly Contact[]): Contact[] => {
  const usesOf = ({ addresses }: Contact): number =>
    addresses.reduce((sum, { sent, received }) => sum + 4 * sent + received, 0)
  return [...contacts].sort((one, other) => usesOf(other) - usesOf(one))
}

const Duplicates = () => {
  const query = useQuery(duplicatesQuery(useClient()))
  const merge = useMergeContacts()
  return (
    <RowList
      query={query}
      itemsOf={({ duplicates }) => duplicates}
      empty={<Empty icon={CircleCheck} title={t.noDuplicates} />}
    >
      {({ reason, contacts }) => {
        const [kept, ...others] = byUse(contacts) as [Contact, ...Contact[]]
        return (
          <Row
            key={contacts.map(({ id }) => id).join()}
            title={[kept, ...others].map(nameOfContact).join(' + ')}
            actions={
              <Button
                size="small"
                aria-label={t.mergeGroup(nameOfContact(kept))}
                onClick={() => void merge(kept, others)}
              >
                {t.merge}
              </Button>
            }
          >
            <p className="row-notes">
              <span>{t.duplicateReasons[reason]}</span>
              <span>
                {contacts.flatMap(({ addresses }) => addresses.map(({ address }) => address)).join(', ')}
              </span>
            </p>
          </Row>
        )
      }}
    </RowList>
  )
}

export const DuplicatesDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title={t.duplicatesTitle} about={<p>{t.mergeHelp}</p>} size="large">
    {open && <Duplicates />}
  </Dialog>
)
