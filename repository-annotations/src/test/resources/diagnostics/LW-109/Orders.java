class Orders {}
