import { Menu } from '@base-ui/react/menu'
import {
  BookOpen,
  Check,
  ChevronsUpDown,
  Keyboard,
  LogOut,
  Monitor,
  Moon,
  Sun,
  UserRound,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useProfile } from '../api/account.ts'
import { useServices } from '../api/context.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { useSignOut } from './sign-out.ts'
import { chooseTheme, isTheme, readTheme, THEMES, type Theme } from './theme.ts'

const THEME_OPTIONS = {
  system: { label: 'As the system', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} as const

const ThemeChoice = () => {
  const { browserStorage } = useServices()
  const [theme, setTheme] = useState<Theme>(() => readTheme(browserStorage))
  const choose = (value: unknown) => {
    if (!isTheme(value)) return
    chooseTheme(browserStorage, value)
    setTheme(value)
  }
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-label">Appearance</Menu.GroupLabel>
      <Menu.RadioGroup value={theme} onValueChange={choose}>
        {THEMES.map((name) => {
          const { label, icon: Icon } = THEME_OPTIONS[name]
          return (
            <Menu.RadioItem key={name} value={name} className="menu-item">
              <Icon size={17} aria-hidden="true" />
              {label}
              <Menu.RadioItemIndicator className="menu-note">
                <Check size={16} aria-hidden="true" />
              </Menu.RadioItemIndicator>
            </Menu.RadioItem>
          )
        })}
      </Menu.RadioGroup>
    </Menu.Group>
  )
}

export const AccountMenu = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const profile = useProfile().data?.value
  const signOut = useSignOut()
  const name = profile?.name ?? 'Account'
  return (
    <Menu.Root>
      <Menu.Trigger className="account">
        <Avatar name={name} avatarUrl={profile?.avatarUrl ?? null} />
        <span className="account-names">
          <span className="only-heard">Account: </span>
          <span className="account-name">{name} </span>
          <span className="quiet small">{profile?.email}</span>
        </span>
        <ChevronsUpDown className="account-more" size={16} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        {/* Fixed like its trigger, so that both stay in place when the page scrolls. */}
        <Menu.Positioner
          className="menu-place"
          positionMethod="fixed"
          sideOffset={8}
          align="end"
          collisionPadding={8}
        >
          <Menu.Popup className="menu">
            <Menu.LinkItem className="menu-item" closeOnClick render={<Link href="/settings/profile" />}>
              <UserRound size={17} aria-hidden="true" />
              Your profile
            </Menu.LinkItem>
            <Menu.Separator className="menu-rule" />
            <ThemeChoice />
            <Menu.Separator className="menu-rule" />
            <Menu.Item className="menu-item" onClick={onShortcuts}>
              <Keyboard size={17} aria-hidden="true" />
              Keyboard shortcuts
              <span className="menu-note">
                <kbd>?</kbd>
              </span>
            </Menu.Item>
            <Menu.LinkItem className="menu-item" closeOnClick href="/docs">
              <BookOpen size={17} aria-hidden="true" />
              API reference
            </Menu.LinkItem>
            <Menu.Separator className="menu-rule" />
            <Menu.Item className="menu-item" onClick={() => void signOut()}>
              <LogOut size={17} aria-hidden="true" />
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
