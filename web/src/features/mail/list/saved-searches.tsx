import { Bookmark, BookmarkPlus, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/mail'
import * as common from '#locale/shared-texts'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { FormPopover, Popover } from '../../../ui/popover.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useLastValue } from '../../../ui/use-last-value.ts'
import type { MailNavigation } from '../url-state.ts'
import { type SavedSearch, useSavedSearches } from '../use-saved-searches.ts'

/** Saves the current search under a name. */
export const SaveSearch = ({ q }: { q: string }) => {
  const { add } = useSavedSearches()
  const notify = useNotify()
  return (
    <FormPopover
      trigger={
        <Button kind="quiet" size="small">
          <BookmarkPlus size={15} aria-hidden="true" />
          {t.saveSearch}
        </Button>
      }
      title={t.saveSearch}
      action={common.save}
      onSubmit={async (values) => {
        await add(readText(values, 'name'), q)
        notify(t.searchSaved)
      }}
    >
      <TextField name="name" label={t.searchName} maxLength={100} autoComplete="off" required />
    </FormPopover>
  )
}

/** The saved searches: run, rename and delete. */
export const SavedSearches = ({ navigation }: { navigation: MailNavigation }) => {
  const { searches, rename, remove } = useSavedSearches()
  const notify = useNotify()
  const attempt = useAttempt()
  const [isOpen, setIsOpen] = useState(false)
  const [renamed, setRenamed] = useState<SavedSearch | null>(null)
  const last = useLastValue(renamed)
  if (searches.length === 0) return null
  const open = ({ q }: SavedSearch) => {
    setIsOpen(false)
    navigation.go({ q, here: false, tag: null, unread: false, starred: false, open: null })
  }
  const removeNow = (search: SavedSearch) =>
    attempt(async () => {
      await remove(search)
      notify(t.searchDeleted(search.name))
    })
  return (
    <>
      <Popover
        open={isOpen}
        onOpen={() => setIsOpen(true)}
        onClose={() => setIsOpen(false)}
        size="small"
        title={t.savedSearches}
        trigger={
          <button type="button" className="mail-folder mail-saved-button">
            <Bookmark size={16} aria-hidden="true" />
            <span className="mail-folder-name">{t.savedSearches}</span>
          </button>
        }
      >
        <ul className="mail-saved">
          {searches.map((search) => (
            <li key={search.id}>
              <button type="button" className="mail-saved-name" title={search.q} onClick={() => open(search)}>
                {search.name}
              </button>
              <RowMenu
                label={t.searchActions(search.name)}
                actions={[
                  {
                    label: t.rename,
                    icon: Pencil,
                    onSelect: () => {
                      setIsOpen(false)
                      setRenamed(search)
                    },
                  },
                  { label: common.remove, icon: Trash2, onSelect: () => void removeNow(search) },
                ]}
              />
            </li>
          ))}
        </ul>
      </Popover>
      <FormDialog
        open={renamed !== null}
        onClose={() => setRenamed(null)}
        title={t.renameSearch}
        action={common.save}
        onSubmit={async (values) => {
          if (renamed) await rename(renamed, readText(values, 'name'))
          setRenamed(null)
        }}
      >
        <TextField
          name="name"
          label={t.searchName}
          defaultValue={last?.name}
          maxLength={100}
          autoComplete="off"
          required
        />
      </FormDialog>
    </>
  )
}
